/** Imported first by every entry of the package. The command line has a check of its own, which any Node.js can parse. */

// `engines` of package.json, as test/package.test.ts proves.
const oldest = '20.19'
const [wantedMajor = 0, wantedMinor = 0] = oldest.split('.').map(Number)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
  throw new Error(
    `wikitape: this is Node.js ${process.versions.node}; wikitape needs Node.js ${oldest} or newer: https://nodejs.org/en/download`
  )
