-- Schema 3 with rocprofiler-sdk: domains and categories, texts of markers in a table of their own, grids in work-items,
-- the device of copies not stated. Two devices worked, eight were sampled.
PRAGMA page_size = 512;
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata VALUES (1, 'gpu_stride', '1000'), (2, 'schema_version', '3');
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, ''), (2, 'hipLaunchKernel'), (3, 'hip'), (4, 'UserMarker'), (5, 'rpd_tracer'),
  (6, 'overhead'), (7, 'RocprofDataSource::buffer_callback'), (8, 'KernelExecution'),
  (9, 'MEMORY_COPY_DEVICE_TO_DEVICE'), (10, 'scale(float*)'), (11, 'hipMemcpyAsync'), (12, 'load'), (13, 'autograd');
CREATE TABLE rocpd_ustring (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_ustring VALUES (1, ''), (2, 'forward'), (3, '{"stream":"0x0"}');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  apiName_id INTEGER, category_id INTEGER, domain_id INTEGER, args_id INTEGER);
INSERT INTO rocpd_api VALUES (1, 5, 5, 100, 200, 2, 1, 3, 3), (2, 5, 5, 300, 400, 2, 1, 3, 3),
  (3, 5, 5, 500, 600, 11, 1, 3, 3), (90, 5, 5, 50, 700, 4, 1, 4, 2), (91, 5, 6, 800, 900, 7, 6, 5, 1),
  (92, 5, 5, 60, 90, 12, 1, 13, 1);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER, start INTEGER,
  end INTEGER, description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES (1, 0, 140, 0, 1000, 1500, 10, 8), (2, 1, 141, 0, 1200, 1900, 10, 8),
  (3, 0, 0, 0, 2000, 2300, 1, 9);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id INTEGER, op_id INTEGER);
INSERT INTO rocpd_api_ops VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
  workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER, groupSegmentSize INTEGER, privateSegmentSize INTEGER,
  kernelName_id INTEGER);
INSERT INTO rocpd_kernelapi VALUES (1, '0x0', 1024, 1, 1, 256, 1, 1, 0, 0, 10), (2, '0x0', 512, 2, 1, 256, 1, 1, 0, 0, 10);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, size INTEGER, width INTEGER, height INTEGER,
  kind INTEGER, dst TEXT, src TEXT, dstDevice INTEGER, srcDevice INTEGER, sync INTEGER, pinned INTEGER);
INSERT INTO rocpd_copyapi VALUES (3, '0x0', 8192, 0, 0, 9, '', '', 3, 2, 1, 0);
CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, deviceType TEXT, deviceId INTEGER, monitorType TEXT, start INTEGER,
  end INTEGER, value TEXT);
INSERT INTO rocpd_monitor VALUES (1, 'gpu', 0, 'sclk', 900, 3000, '2100'), (2, 'gpu', 1, 'sclk', 900, 3000, '2100'),
  (3, 'gpu', 2, 'sclk', 900, 3000, '132');
