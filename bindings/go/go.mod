module kdiag.invalid/kdiag

go 1.19
