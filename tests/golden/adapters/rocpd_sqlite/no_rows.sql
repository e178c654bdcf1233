-- A process that did nothing on a device, with the trace of kernels switched on and that of copies off.
PRAGMA page_size = 512;
CREATE TABLE rocpd_info_process_e (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_e VALUES (1, 9, '{}', '{"kernel_trace": true, "memory_copy_trace": false}');
CREATE TABLE rocpd_kernel_dispatch_e (id INTEGER PRIMARY KEY);
CREATE TABLE rocpd_memory_copy_e (id INTEGER PRIMARY KEY);
CREATE TABLE rocpd_region_e (id INTEGER PRIMARY KEY);
