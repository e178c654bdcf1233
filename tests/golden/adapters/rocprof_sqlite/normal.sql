-- results.db of rocprof --hip-trace --roctx-trace.
-- Every fixture here is made from the file of its name: sqlite3 normal.in < normal.sql
PRAGMA page_size = 512;
CREATE TABLE HIP (BeginNs INTEGER, EndNs INTEGER, pid INTEGER, tid INTEGER, Name TEXT, args TEXT, "Index" INTEGER,
  Data TEXT, __section INTEGER, __lane INTEGER, DurationNs INTEGER);
INSERT INTO HIP VALUES
  (1000, 2000, 19, 19, 'hipMalloc', '( ptr(0x7fc7) size(4000))', 1, '', 2, 19, 1000),
  (3000, 9000, 19, 19, 'hipMemcpy', '( dst(0x7fc7) src(0x7fe2) sizeBytes(4000) kind(1))', 2, '', 2, 19, 6000),
  (9100, 9200, 19, 19, 'hipLaunchKernel', '( kernel(add(float*, int)) function_address(0x200a40) numBlocks({z(1) y(2) x(3906}) dimBlocks({z(1) y(1) x(256}) args(0x7ffe) sharedMemBytes(64) stream(1))', 3, '', 2, 19, 100),
  (9300, 15000, 19, 20, 'hipDeviceSynchronize', '( ))', 4, '', 2, 20, 5700);
CREATE TABLE OPS (BeginNs INTEGER, EndNs INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, Name TEXT, pid INTEGER,
  tid INTEGER, "roctx-range" TEXT, "stream-id" INTEGER, "Index" INTEGER, Data TEXT, DurationNs INTEGER);
INSERT INTO OPS VALUES (10000, 14000, 4, 0, 'add(float*, int) [clone .kd]', 19, 19, '', 1, 3, '', 4000),
  (14000, 14010, 4, 0, '<barrier packet>', 19, 19, '', 1, 9, '', 10);
CREATE TABLE COPY (BeginNs INTEGER, EndNs INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, Name TEXT, pid INTEGER,
  tid INTEGER, "roctx-range" TEXT, "stream-id" INTEGER, "Index" INTEGER, Data TEXT, DurationNs INTEGER);
INSERT INTO COPY VALUES (4000, 8000, 4, 0, 'CopyHostToDevice', 19, 19, '', 0, 2, '', 4000),
  (15000, 15100, 4, 0, 'FillBuffer', 19, 19, '', 0, 5, '', 100);
CREATE TABLE rocTX (BeginNs INTEGER, EndNs INTEGER, pid INTEGER, tid INTEGER, Name TEXT);
INSERT INTO rocTX VALUES (900, 15000, 19, 19, 'iteration 1'), (15000, 29000, 19, 19, 'iteration 2');
CREATE TABLE KERN ("Index" INTEGER, KernelName TEXT);
