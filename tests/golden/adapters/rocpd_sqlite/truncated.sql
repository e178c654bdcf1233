-- 300 kernels, of which the copy that stopped early holds the first: sqlite3 whole < truncated.sql, then the first
-- 6 KiB of it are truncated.in.
PRAGMA page_size = 512;
CREATE TABLE rocpd_info_process_t (id INTEGER PRIMARY KEY, pid INTEGER);
CREATE TABLE rocpd_kernel_dispatch_t (id INTEGER PRIMARY KEY, agent_id INTEGER, kernel_id INTEGER, start INTEGER,
  end INTEGER);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
INSERT INTO rocpd_kernel_dispatch_t SELECT n, 1, 1, 1000 * n, 1000 * n + 900 FROM numbers;
