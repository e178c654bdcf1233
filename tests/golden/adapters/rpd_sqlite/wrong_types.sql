-- Values of other types, records without an end, ends before their starts, texts that there are not.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string BLOB);
INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, x'00ff'), (3, 'hipLaunchKernel'), (4, NULL),
  (5, 'CopyHostToDevice');
CREATE TABLE rocpd_api (id, pid, tid, start, end, apiName_id, args_id);
INSERT INTO rocpd_api VALUES ('one', 'two', 3.5, '100', '200', '3', NULL), (2, 5, 5, 'now', 200, 3, 1),
  (3, 5, 5, 300, 200, 3, 1), (4, 5, 5, 100, 200, 99, 1), (5, NULL, 5, 400, 500, 3, x'00');
CREATE TABLE rocpd_op (id, gpuId, queueId, start, end, description_id, opType_id);
INSERT INTO rocpd_op VALUES (1, 'first', NULL, 1000, 1500, 2, 1), (2, 0, 0, 1600, 1500, 2, 1), (3, 0, 0, NULL, 5, 2, 1),
  (4, 0, -1, 9223372036854775807, 9223372036854775807, 2, 1), (5, 0, 0, 2000, 2100, 4, 4), (6, 0, 0, 2200, 2300, 4, 5),
  (7, -3, 0, 3000, 3100, 2, 1);
CREATE TABLE rocpd_api_ops (id, api_id, op_id);
INSERT INTO rocpd_api_ops VALUES (1, 5, 6), (2, 'x', 1), (3, 5, NULL);
CREATE TABLE rocpd_copyapi (api_ptr_id, size, width, height, kind, srcDevice, dstDevice);
INSERT INTO rocpd_copyapi VALUES (5, '', 9223372036854775807, 3, 'up', 0, 0);
CREATE TABLE rocpd_kernelapi (api_ptr_id);
INSERT INTO rocpd_kernelapi VALUES ('x'), (5);
