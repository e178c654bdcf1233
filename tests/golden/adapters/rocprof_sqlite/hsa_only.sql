-- rocprof --hsa-trace: copies, whose index is not that of a HIP call, and no kernel.
PRAGMA page_size = 512;
CREATE TABLE HSA (BeginNs INTEGER, EndNs INTEGER, pid INTEGER, tid INTEGER, Name TEXT, args TEXT, "Index" INTEGER);
INSERT INTO HSA VALUES (100, 200, 5, 5, 'hsa_signal_wait_scacquire', '', 1);
CREATE TABLE COPY (BeginNs INTEGER, EndNs INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, Name TEXT, "Index" INTEGER);
INSERT INTO COPY VALUES (300, 500, 0, 0, 'CopyDeviceToHost', 1);
