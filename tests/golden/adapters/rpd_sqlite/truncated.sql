-- 300 kernels, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first
-- 6 KiB of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, 'kernel');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, start INTEGER, end INTEGER,
  description_id INTEGER, opType_id INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
INSERT INTO rocpd_op SELECT n, 0, 0, 1000 * n, 1000 * n + 900, 2, 1 FROM numbers;
