/** The forward proxy of programs that a test starts: it answers for the test's cassettes, in the test's process. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  loopbackHosts,
  programEnvironment
} from '../../cli/intercept/program-environment.ts'
import { describeFailure } from '../../recorder/http/reply-headers.ts'
import { isLocalAddress } from '../../recorder/privacy/secrets/secret.ts'
import {
  CertificateAuthority,
  createAuthority
} from '../../recorder/server/certificates/certificate-authority.ts'
import { ForwardProxy } from '../../recorder/server/proxy/interception.ts'
import { bodyOf, sendError } from '../../recorder/server/request-handler.ts'
import { notIntercepted } from '../../recorder/server/request-router.ts'
import { serveRequests } from '../../recorder/server/start-server.ts'
import { CutConnection } from '../in-process/in-process-engine.ts'
import type { Answer } from '../in-process/in-process-request.ts'

export interface ProgramProxyOptions {
  /** Undefined where no cassette is of this wiki. */
  readonly answerOf: (origin: string) => Answer | undefined
  /** The test's wiki, for programs that read its address. */
  readonly apiUrl: string | undefined
  /** Called with what was refused, and why. */
  readonly refused: (why: string) => void
}

export interface TestProgramProxy {
  /** That of this process, with all that a program needs. */
  readonly environment: NodeJS.ProcessEnv
  close(): Promise<void>
}

const maxBody = 16 * 1024 * 1024

export async function startProgramProxy(
  options: ProgramProxyOptions
): Promise<TestProgramProxy> {
  const { apiUrl = '', refused } = options
  const { certificate, key } = createAuthority(1)
  const proxy = new ForwardProxy(new CertificateAuthority(certificate, key))
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response, { proxy, options }).catch((error) => {
      if (error instanceof CutConnection) response.destroy()
      else sendError(response, describeFailure(error))
    })
  const server = await serveRequests(
    { handle, idle: async () => undefined },
    { host: '127.0.0.1', port: 0, interception: proxy, report: refused }
  )
  const isLocal = URL.canParse(apiUrl) && isLocalAddress(new URL(apiUrl).hostname)
  const direct = isLocal ? [] : loopbackHosts
  const settings = { origin: server.url, access: proxy.access, certificate, direct }
  const { variables, files } = programEnvironment(settings, process.env)
  return {
    environment: { ...process.env, WIKITAPE_API_URL: apiUrl, ...variables },
    close: async () => {
      await server.close()
      files.remove()
    }
  }
}

interface ProxyContext {
  readonly proxy: ForwardProxy
  readonly options: ProgramProxyOptions
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { proxy, options }: ProxyContext
) {
  const sent = proxy.read(request) ?? notIntercepted
  if ('status' in sent) return sendError(response, sent)

  const answer = options.answerOf(sent.origin)
  if (!answer) {
    const info = `a program asked ${sent.origin}, and no cassette of this test is of it; nothing was sent. Name its api.php in apiUrl, too; or leave that host alone: NO_PROXY of the program`
    options.refused(info)
    return sendError(response, { status: 404, code: 'no-cassette', info })
  }
  const body = await bodyOf(request, maxBody)
  if ('status' in body) return sendError(response, body)

  const { method = '', headers } = request
  const [status, bytes, named] = await answer({ ...sent, method, headers, body })
  response.writeHead(status, named).end(bytes)
}
