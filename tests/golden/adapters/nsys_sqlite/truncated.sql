-- 300 kernels, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first
-- 6 KiB of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'kernel');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 1000 * n, 1000 * n + 900, 0, 7, n, 16777216, 1 FROM numbers;
