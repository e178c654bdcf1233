-- The tracer on NVIDIA devices: the queue is a context there, the stream is the sequence; a copy of rows has no size.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, ''), (2, 'cudaLaunchKernel'), (3, 'cudaMemcpy2DAsync'), (4, 'ConcurrentKernel'),
  (5, 'Memcpy'), (6, 'saxpy(float*, int)'), (7, 'Memset');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  apiName_id INTEGER, args_id INTEGER);
INSERT INTO rocpd_api VALUES (1, 5, 5, 100, 200, 2, 1), (2, 5, 5, 300, 400, 3, 1);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER, start INTEGER,
  end INTEGER, description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES (1, 0, 1, 7, 1000, 1500, 6, 4), (2, 0, 1, 13, 1600, 1900, 1, 5), (3, 0, 1, 13, 1900, 1950, 1, 7);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id INTEGER, op_id INTEGER);
INSERT INTO rocpd_api_ops VALUES (1, 1, 1), (2, 2, 2);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
  workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER);
INSERT INTO rocpd_kernelapi VALUES (1, 512, 1, 1, 256, 1, 1);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, size INTEGER, width INTEGER, height INTEGER, kind INTEGER,
  srcDevice INTEGER, dstDevice INTEGER);
INSERT INTO rocpd_copyapi VALUES (2, 0, 256, 10, 2, 0, 0);
