-- The tables of a trace without a record.
PRAGMA page_size = 512;
CREATE TABLE HIP (BeginNs INTEGER, EndNs INTEGER, pid INTEGER, tid INTEGER, Name TEXT, args TEXT, "Index" INTEGER);
CREATE TABLE OPS (BeginNs INTEGER, EndNs INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, Name TEXT, "Index" INTEGER);
CREATE TABLE KERN ("Index" INTEGER, KernelName TEXT);
