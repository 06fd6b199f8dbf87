import {
  type CookieSelection,
  convertResponse,
  type ResponseConversion,
} from '../../src/cassette/record/recorded-response.ts'
import { runToCompletion } from '../../src/json/cooperative-task.ts'
import type { WikiRequest } from '../../src/request/api-request.ts'
import type { WikiAnswer } from '../../src/wiki/answers/wiki-answer.ts'

/** `convertResponse` in one step. @param now time of the answer in milliseconds */
export const toRecordedResponse = (
  request: WikiRequest,
  answer: WikiAnswer,
  now: number,
  selection: CookieSelection = { optedIn: [], sessions: [] },
): ResponseConversion => runToCompletion(convertResponse(request, answer, now, selection))
