/** `node get.mjs [--header 'NAME: VALUE'] URL`: prints the answer, a line; what curl does where there is none. */
const [url, ...flags] = process.argv.slice(2).reverse()
const headers = flags
  .filter((one) => one !== '--header')
  .map((one) => one.split(/: */, 2))
const answer = await fetch(url, { headers })
process.stdout.write(`${await answer.text()}\n`)
