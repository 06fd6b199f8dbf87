# Has R's vcr record all of whole.mjs: Rscript whole.R ORIGIN FOLDER CALLS. Needs r-cran-vcr, r-cran-crul and
# r-cran-jsonlite. Writes whole-r-vcr.yml, whole-r-vcr-exact.yml, whole-r-vcr-json.json and what the client was told.
library(vcr)
library(crul)

arguments <- commandArgs(trailingOnly = TRUE)
origin <- arguments[1]
folder <- arguments[2]
calls <- jsonlite::fromJSON(arguments[3], simplifyVector = FALSE)
escaped <- function(text) curl::curl_escape(text)

ask <- function(call, token, jar) {
  headers <- list(`Accept-Encoding` = "gzip")
  if (isTRUE(call$session) && length(jar) > 0) headers$Cookie <- paste(names(jar), jar, sep = "=", collapse = "; ")
  if (!is.null(call$form)) {
    headers$`Content-Type` <- if (is.null(call$type)) "application/x-www-form-urlencoded" else call$type
  }
  client <- HttpClient$new(url = paste0(origin, call$path), headers = headers, opts = list(followlocation = 0L))
  if (is.null(call$form)) return(client$get())
  form <- gsub("{token}", escaped(token), call$form, fixed = TRUE)
  client$post(body = gsub("{rawtoken}", token, form, fixed = TRUE))
}

onward <- function(call, text) {
  if (!isTRUE(call$walk)) return(NULL)
  following <- jsonlite::fromJSON(text, simplifyVector = FALSE)$continue$apcontinue
  if (is.null(following)) return(NULL)
  call$path <- paste0(sub("&apcontinue=.*", "", call$path), "&apcontinue=", escaped(following), "&continue=-%7C%7C")
  call
}

# Asks all calls, with the token and the cookies that were told last; what was told.
a_day <- function() {
  said <- list()
  jar <- list()
  token <- ""
  waiting <- calls
  while (length(waiting) > 0) {
    call <- waiting[[1]]
    waiting <- waiting[-1]
    reply <- ask(call, token, jar)
    text <- rawToChar(reply$content[reply$content != 0])
    call$status <- reply$status_code
    said[[length(said) + 1]] <- c(call, base64 = gsub("\n", "", jsonlite::base64_enc(reply$content)))
    call$status <- NULL
    for (field in if (isTRUE(call$session)) reply$response_headers_all else list()) {
      for (cookie in field[names(field) == "set-cookie"]) {
        jar[[sub("=.*", "", cookie)]] <- sub("^[^=]+=([^;]*).*", "\\1", cookie)
      }
    }
    issued <- regmatches(text, regexec('"(login|csrf)token":"([^"]+)"', text))[[1]]
    if (length(issued) > 0) token <- gsub("\\\\", "\\", issued[3], fixed = TRUE)
    following <- onward(call, text)
    if (!is.null(following)) waiting <- c(list(following), waiting)
  }
  said
}

record <- function(name, ...) {
  for (ending in c(".yml", ".json")) unlink(file.path(folder, paste0(name, ending)))
  use_cassette(name, said <- a_day(), record = "all", ...)
  writeLines(jsonlite::toJSON(said, auto_unbox = TRUE), file.path(folder, paste0(name, "-told.json")))
  cat(name, ":", length(said), "calls\n")
}

vcr_configure(dir = folder)
record("whole-r-vcr")
record("whole-r-vcr-exact", preserve_exact_body_bytes = TRUE)
record("whole-r-vcr-json", serialize_with = "json")
