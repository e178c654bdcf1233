-- 300 kernels, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first
-- 6 KiB of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE HIP (BeginNs INTEGER);
CREATE TABLE OPS (BeginNs INTEGER, EndNs INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, Name TEXT, "Index" INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
INSERT INTO OPS SELECT 1000 * n, 1000 * n + 900, 0, 0, 'kernel', n FROM numbers;
