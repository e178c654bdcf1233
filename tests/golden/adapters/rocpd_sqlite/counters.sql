-- Kernels that ran one at a time so that counters could be read; one recording, tables without an ending.
PRAGMA page_size = 512;
CREATE TABLE rocpd_info_process (id INTEGER PRIMARY KEY, pid INTEGER);
INSERT INTO rocpd_info_process VALUES (9, 9);
CREATE TABLE rocpd_info_kernel_symbol (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol VALUES (1, 'scale(float*)');
CREATE TABLE rocpd_info_pmc (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO rocpd_info_pmc VALUES (1, 'SQ_WAVES'), (2, 'GRBM_COUNT');
CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch VALUES (1, 9, 9, 1, 1, 1000, 1700, 1), (2, 9, 9, 1, 1, 90000, 90600, 2);
CREATE TABLE rocpd_pmc_event (id INTEGER PRIMARY KEY, event_id INTEGER, pmc_id INTEGER, value REAL);
INSERT INTO rocpd_pmc_event VALUES (1, 1, 1, 64.0), (2, 1, 2, 9.0), (3, 2, 1, 64.0);
