-- 100 steps, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first 1.5 KiB
-- of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE StepTraceTime (step INTEGER, computing INTEGER, communication_not_overlapped INTEGER, free INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
INSERT INTO StepTraceTime SELECT n, 3, 2, 1 FROM numbers;
