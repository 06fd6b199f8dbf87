# Makes the recordings of R's vcr: Rscript record.R ORIGIN FOLDER. Needs r-cran-vcr, r-cran-crul and r-cran-jsonlite.
library(vcr)
library(crul)

arguments <- commandArgs(trailingOnly = TRUE)
origin <- arguments[1]
folder <- arguments[2]
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
calls <- jsonlite::fromJSON(file.path(here, "calls.json"), simplifyVector = FALSE)

ask <- function(call) {
  cut <- regexpr("?", call$path, fixed = TRUE)
  headers <- list(`Accept-Encoding` = if (isTRUE(call$identity)) "identity" else "gzip")
  if (!is.null(call$form)) headers$`Content-Type` <- "application/x-www-form-urlencoded"
  client <- HttpClient$new(url = paste0(origin, call$path), headers = headers, opts = list(followlocation = 0L))
  if (is.null(call$form)) client$get() else client$post(body = call$form)
}

record <- function(name, asked, ...) {
  for (ending in c(".yml", ".json")) unlink(file.path(folder, paste0(name, ending)))
  use_cassette(name, for (call in asked) ask(call), record = "all", ...)
}

vcr_configure(dir = folder)
texts <- Filter(function(call) !grepl("[.]png$", call$path), calls)
record("r-vcr", texts)
record("r-vcr-exact", calls, preserve_exact_body_bytes = TRUE)
record("r-vcr-json", texts, serialize_with = "json")
