/** The keys of a cassette on the server, and the scripts that change them. Each runs whole or not at all, and may be repeated. */
export const layoutNumber = 1

type Layout = Readonly<
  Record<'meta' | 'index' | 'changes', string> &
    Record<'file' | 'lease' | 'session', (name: string) => string>
>

/** All keys have one hash tag, the name in braces: a cluster keeps them on one master, where a script changes them together. */
export const layoutOf = (name: string): Layout => ({
  /** Hash: `layout`, `version` (counts changes), `fence` (counts leases). */
  meta: `wikitape:{${name}}:meta`,
  /** Hash: path of each file → digest of its content. */
  index: `wikitape:{${name}}:index`,
  /** Stream of the last changes: entry `<version>-0`, paths with their new digests (empty: deleted). */
  changes: `wikitape:{${name}}:changes`,
  /** The content of a file. */
  file: (path) => `wikitape:{${name}}:file:${path}`,
  /** Who asks the wiki for a key: `<fence>:<owner>`, with a time to live. */
  lease: (key) => `wikitape:{${name}}:lease:${key}`,
  /** What a client of a replay has done, with a time to live. */
  session: (id) => `wikitape:{${name}}:session:${id}`
})

/** Answers with the reason where the keys are not a cassette of this layout, or the index has lost names of files. */
const checkLayout = `
local layout = redis.call('HGET', KEYS[1], 'layout')
if layout and layout ~= ARGV[1] then return {'layout', layout} end
if not layout and (redis.call('EXISTS', KEYS[1]) == 1 or redis.call('EXISTS', KEYS[2]) == 1) then return {'foreign'} end
local files = layout and redis.call('HGET', KEYS[1], 'files')
local named = redis.call('HLEN', KEYS[2])
if files and tonumber(files) ~= named then return {'lost', files, tostring(named)} end
`

/**
 * KEYS meta, index, changes, lease, a key for each file. ARGV layout, value of the lease or '', '1' where replicas confirm,
 * then for each file: path, expected digest ('*' any, '' absent), new digest ('' to delete), content.
 * Answers {'ok', version}, {'changed', path}, {'fenced'}, or as above. A content that is gone is written again.
 */
export const writeScript: string = `${checkLayout}
if ARGV[2] ~= '' then
  local holder = redis.call('GET', KEYS[4])
  if holder and holder ~= ARGV[2] then return {'fenced'} end
end
for i = 5, #KEYS do
  local at = 4 + (i - 5) * 4
  local current = redis.call('HGET', KEYS[2], ARGV[at]) or ''
  if ARGV[at + 1] ~= '*' and current ~= ARGV[at + 1] and current ~= ARGV[at + 2] then return {'changed', ARGV[at]} end
end
if not layout then redis.call('HSET', KEYS[1], 'layout', ARGV[1]) end
local changed = {}
for i = 5, #KEYS do
  local at = 4 + (i - 5) * 4
  local path, digest = ARGV[at], ARGV[at + 2]
  local current = redis.call('HGET', KEYS[2], path) or ''
  if current ~= digest or (digest ~= '' and redis.call('GET', KEYS[i]) ~= ARGV[at + 3]) then
    if digest == '' then
      redis.call('DEL', KEYS[i])
      redis.call('HDEL', KEYS[2], path)
    else
      redis.call('SET', KEYS[i], ARGV[at + 3])
      redis.call('HSET', KEYS[2], path, digest)
    end
    table.insert(changed, path)
    table.insert(changed, digest)
  end
end
if #changed > 0 then
  redis.call('HSET', KEYS[1], 'files', redis.call('HLEN', KEYS[2]))
  local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, version .. '-0', unpack(changed))
end
if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'confirmed', redis.call('HGET', KEYS[1], 'version') or 0) end
if ARGV[2] ~= '' then redis.call('DEL', KEYS[4]) end
return {'ok', redis.call('HGET', KEYS[1], 'version') or '0'}
`

/** KEYS meta, index, changes. ARGV layout, known version. Answers {'ok', version, [path, digest, …]} or {'ok', version, false} where too much has changed. */
export const changesScript: string = `${checkLayout}
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
local known = tonumber(ARGV[2])
if version == known then return {'ok', tostring(version), {}} end
if version < known or version - known > 5000 then return {'ok', tostring(version), false} end
local entries = redis.call('XRANGE', KEYS[3], '(' .. known .. '-0', '+')
if #entries ~= version - known then return {'ok', tostring(version), false} end
local all = {}
for _, entry in ipairs(entries) do
  for _, value in ipairs(entry[2]) do table.insert(all, value) end
end
return {'ok', tostring(version), all}
`

/** KEYS of files. Answers the numbers of those that are not there, from 1. */
export const absentScript = `
local absent = {}
for i, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 0 then table.insert(absent, i) end
end
return absent
`

/** KEYS meta, index, changes. ARGV layout, a version that no change has had: everybody reads all again. */
export const rebuiltScript = `
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'version', ARGV[2], 'files', redis.call('HLEN', KEYS[2]))
`

/** KEYS meta, lease. ARGV owner, milliseconds. Answers {value of the lease or '', version}. Asked again by its owner, it gives the same lease. */
export const acquireScript = `
local version = redis.call('HGET', KEYS[1], 'version') or '0'
local holder = redis.call('GET', KEYS[2])
if holder then
  if holder:sub(-#ARGV[1]) ~= ARGV[1] then return {'', version} end
else
  holder = redis.call('HINCRBY', KEYS[1], 'fence', 1) .. ':' .. ARGV[1]
end
redis.call('SET', KEYS[2], holder, 'PX', ARGV[2])
return {holder, version}
`

/** KEYS leases. ARGV milliseconds, then the value of each lease. */
export const renewScript = `
for i, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[i + 1] then redis.call('PEXPIRE', key, ARGV[1]) end
end
`

/** KEYS session. ARGV the version before, text with the new version in its first line, milliseconds. Answers 1, or 0 if the version is another. */
export const sessionScript = `
local current = redis.call('GET', KEYS[1])
if current == ARGV[2] then return 1 end
local version = current and current:match('^(%d+)') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`

/** KEYS lease. ARGV its value. */
export const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`
