-- Values of other types, arguments that were cut, ends before their starts.
PRAGMA page_size = 512;
CREATE TABLE HIP (BeginNs, EndNs, pid, tid, Name, args, "Index");
INSERT INTO HIP VALUES ('100', '200', 5, NULL, 'hipMemcpy', '( sizeBytes(', '7'), (300, 200, 5, 5, 'hipMemcpy', 5, 8),
  (100, 250, 5, 5, NULL, '( sizeBytes(99999999999999999999) numBlocks({z(', 9);
CREATE TABLE OPS (BeginNs, EndNs, "dev-id", "queue-id", Name, "Index");
INSERT INTO OPS VALUES (1000, 1500, 'four', 0, 5, 'x'), ('now', 1500, 4, 0, 'add', 3), (2000, 2100, 0, 0, 'add', 9);
CREATE TABLE COPY (BeginNs, EndNs);
INSERT INTO COPY VALUES (3000, 3100), (NULL, NULL);
