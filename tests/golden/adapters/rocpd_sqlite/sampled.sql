-- rocprof-sys: counters of the whole device, sampled while kernels run freely; calls of other libraries.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string_s (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_s VALUES (1, 'device_power'), (2, 'mpi'), (3, 'MPI_Allreduce'), (4, 'user'), (5, 'solve'),
  (6, 'rocm_marker_api'), (7, 'assemble');
CREATE TABLE rocpd_info_process_s (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_s VALUES (1, 9, '{}', '{}');
CREATE TABLE rocpd_info_thread_s (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER);
INSERT INTO rocpd_info_thread_s VALUES (3, 1, 9);
CREATE TABLE rocpd_info_agent_s (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_s VALUES (2, 'GPU', 1, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_s (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_s VALUES (1, 'scale(float*)');
CREATE TABLE rocpd_info_pmc_s (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO rocpd_info_pmc_s VALUES (1, 'device_power');
CREATE TABLE rocpd_track_s (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER);
INSERT INTO rocpd_track_s VALUES (1, 1, NULL);
CREATE TABLE rocpd_event_s (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_s VALUES (1, NULL, 0, '{}'), (2, 1, 0, '{}'), (3, 2, 0, '{}'), (4, 4, 0, '{}'), (5, 6, 0, '{}');
CREATE TABLE rocpd_region_s (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_s VALUES (1, 1, 3, 10, 90, 3, 3), (2, 1, 3, 5, 100, 5, 4), (3, 1, 3, 6, 8, 7, 5);
CREATE TABLE rocpd_sample_s (id INTEGER PRIMARY KEY, track_id INTEGER, timestamp INTEGER, event_id INTEGER);
INSERT INTO rocpd_sample_s VALUES (1, 1, 50, 2);
CREATE TABLE rocpd_kernel_dispatch_s (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, queue_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_s VALUES (1, 1, 3, 2, 1, 6, 20, 80, 1);
CREATE TABLE rocpd_pmc_event_s (id INTEGER PRIMARY KEY, event_id INTEGER, pmc_id INTEGER, value REAL);
INSERT INTO rocpd_pmc_event_s VALUES (1, 2, 1, 350.0);
