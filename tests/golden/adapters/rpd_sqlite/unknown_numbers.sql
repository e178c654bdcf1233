-- Schema 2: one of two sampled devices worked, and it has another number there.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, 'scale(float*)');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, start INTEGER, end INTEGER,
  description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES (1, 2, 0, 1000, 1500, 2, 1);
CREATE TABLE rocpd_monitor (deviceType TEXT, deviceId INTEGER, monitorType TEXT, start INTEGER, value TEXT);
INSERT INTO rocpd_monitor VALUES ('gpu', 0, 'sclk', 900, '1700'), ('gpu', 1, 'sclk', 900, '1700');
