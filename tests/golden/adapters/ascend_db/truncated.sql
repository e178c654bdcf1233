-- 300 kernels, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first
-- 8 KiB of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO STRING_IDS VALUES (1, 'KERNEL_AICORE'), (2, 'gemm');
CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
  taskType INTEGER, streamId INTEGER);
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
INSERT INTO TASK SELECT 1000 * n, 1000 * n + 900, 0, n, n, 1, 2 FROM numbers;
