-- Kernels that ran one at a time so that counters could be read.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, 'scale(float*)'), (3, 'SQ_WAVES');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  apiName_id INTEGER, args_id INTEGER);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, start INTEGER, end INTEGER,
  description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES (1, 0, 0, 1000, 1500, 2, 1), (2, 0, 0, 9000, 9700, 2, 1);
CREATE TABLE rocpd_counter (id INTEGER PRIMARY KEY, value REAL, op_id INTEGER, name_id INTEGER);
INSERT INTO rocpd_counter VALUES (1, 64.0, 1, 3), (2, 64.0, 2, 3);
