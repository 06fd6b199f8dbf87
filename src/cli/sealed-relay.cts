/**
 * `sealed-relay.cjs SOCKET PORT COMMAND…`: the first process in a network of its own, from which nothing leads out but
 * a socket of wikitape's. Every name resolves to an address of its own on loopback, and what comes there to port 80 or
 * 443 goes to wikitape, as what comes to its proxy does. Then it runs the command.
 */
const {
  spawn,
  spawnSync
}: typeof import('node:child_process') = require('node:child_process')
const dgram: typeof import('node:dgram') = require('node:dgram')
const fs: typeof import('node:fs') = require('node:fs')
const net: typeof import('node:net') = require('node:net')
const os: typeof import('node:os') = require('node:os')
const path: typeof import('node:path') = require('node:path')

type Socket = import('node:net').Socket

const [, , wikitape = '', port = '', uid = '', gid = '', ...command] = process.argv

function must(name: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(
    `wikitape: --sealed needs ${name}: ${error?.message ?? stderr.trim()}\n`
  )
  process.exit(2)
}

/** Puts a file in place of another one, for this process and the command alone. */
function replaceFile(file: string, text: string): void {
  if (!fs.existsSync(file)) return
  const own = path.join(path.dirname(wikitape), path.basename(file))
  fs.writeFileSync(own, text)
  must('mount', '--bind', own, fs.realpathSync(file))
}

/* Names. Source: RFC 1035, 4.1 */

const nameByAddress = new Map<string, string>()
const addressByName = new Map<string, string>()

function addressOf(name: string): string {
  const known = addressByName.get(name)
  if (known !== undefined) return known
  const number = addressByName.size + 1
  const address = `127.1.${number >> 8}.${number & 0xff}`
  addressByName.set(name, address)
  nameByAddress.set(address, name)
  return address
}

/** Addresses of IPv4; of all else it says that there is nothing. */
function answerTo(query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(12, at + 5)
  const isAddress = query.readUInt16BE(at + 1) === 1
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0])
  query.copy(head, 0, 0, 2)
  const bytes = addressOf(labels.join('.').toLowerCase()).split('.').map(Number)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes])
  return Buffer.concat([head, question, ...(isAddress ? [record] : [])])
}

/* Connections. */

/** @param hello sent first, and its answer is not the program's */
function join(client: Socket, hello?: string): void {
  const upstream = net.connect({ path: wikitape, allowHalfOpen: true })
  for (const [one, other] of [
    [client, upstream],
    [upstream, client]
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  const begin = (): void => void client.pipe(upstream).pipe(client)
  if (hello === undefined) {
    begin()
    return
  }
  upstream.write(hello)
  upstream.once('data', (head: Buffer) => {
    if (head.includes(' 200 ')) begin()
    else client.destroy()
  })
}

function joinByName(client: Socket): void {
  const { localAddress = '', localPort } = client
  const name = nameByAddress.get(localAddress)
  if (name === undefined) {
    process.stderr.write(
      `wikitape: tried to reach ${localAddress}:${localPort}; refused\n`
    )
    client.destroy()
  } else join(client, `CONNECT ${name}:${localPort} HTTP/1.1\r\nhost: ${name}\r\n\r\n`)
}

function listen(
  host: string,
  number: number,
  onClient: (client: Socket) => void
): Promise<void> {
  const server = net.createServer({ allowHalfOpen: true }, onClient)
  return new Promise((resolve) => server.listen(number, host, resolve))
}

/** As the user that wikitape has, who may change nothing in this network. */
function runCommand(): void {
  const asUser = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  const [name = '', ...args] = uid === '0' ? command : [...asUser, ...command]
  const child = spawn(name, args, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => child.kill(signal))
  child.once('error', ({ message }) => {
    process.stderr.write(`wikitape: cannot run ${name}: ${message}\n`)
    process.exit(2)
  })
  child.once('close', (code, signal) =>
    process.exit(code ?? (signal === null ? 1 : 128 + os.constants.signals[signal]))
  )
}

async function main(): Promise<void> {
  must('ip', 'link', 'set', 'lo', 'up')
  // Every address is this machine's: what is asked for is seen.
  must('ip', 'route', 'add', 'local', 'default', 'dev', 'lo')
  replaceFile('/etc/resolv.conf', 'nameserver 127.0.0.1\n')
  replaceFile('/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')
  // Services of the machine that would resolve names outside of this network.
  for (const folder of ['/run/systemd/resolve', '/run/nscd'])
    if (fs.existsSync(folder)) must('mount', '-t', 'tmpfs', 'none', folder)

  const names = dgram.createSocket('udp4')
  names.on('message', (query, { port: from, address }) => {
    if (query.length > 16) names.send(answerTo(query), from, address)
  })
  await new Promise<void>((resolve) => names.bind(53, '127.0.0.1', resolve))
  await listen('127.0.0.1', Number(port), (client) => join(client))
  for (const number of [80, 443]) await listen('0.0.0.0', number, joinByName)
  runCommand()
}

void main()
