-- Calls launch work, but the tracer recorded none.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, ''), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  apiName_id INTEGER, args_id INTEGER);
INSERT INTO rocpd_api VALUES (1, 5, 5, 100, 200, 2, 1);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER);
