#!/usr/bin/env node
/** What `wikitape` runs. Written so that every Node.js can parse it: an older one is told which it needs. */
// `engines` of package.json, as test/package.test.ts proves.
const oldest = '20.19'
const [wantedMajor = 0, wantedMinor = 0] = oldest.split('.').map(Number)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(
    `wikitape: this is Node.js ${process.versions.node}; wikitape needs Node.js ${oldest} or newer: https://nodejs.org/en/download`
  )
  process.exitCode = 2
} else void import('./main.js')
