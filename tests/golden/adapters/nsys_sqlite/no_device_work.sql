-- Launches, but no table of what they ran: CUDA in a virtual machine, where the driver records no device work.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cudaDeviceSynchronize_v3020');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, cuDevice INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA GeForce RTX 4060 Laptop GPU', 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1100, 0, 16777217, 1, 1), (1200, 9200, 0, 16777217, 2, 2);
