// Prints the pages of a category, as a client that knows nothing of wikitape does: fetch, and the wiki's `continue`.
// Run it: wikitape exec --cassette cassettes/ru-1.43 -- node examples/node/category.mjs 'Категория:Природа 0'
const [, , category = 'Категория:Природа 0'] = process.argv
const api = process.env.WIKITAPE_API_URL ?? 'https://ru.wikipedia.org/w/api.php'

async function* members(title) {
  let more = { continue: '' }
  while (more !== undefined) {
    const params = {
      action: 'query',
      list: 'categorymembers',
      cmtitle: title,
      cmlimit: '25',
      format: 'json'
    }
    const answer = await (
      await fetch(`${api}?${new URLSearchParams({ ...params, ...more })}`)
    ).json()
    if (answer.error !== undefined) throw new Error(answer.error.info)
    yield* answer.query.categorymembers
    more = answer.continue
  }
}

let count = 0
for await (const { title } of members(category)) {
  console.log(title)
  count += 1
}
console.log(`${category}: ${count} pages`)
