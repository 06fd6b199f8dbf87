import {
  type CookieSelection,
  convertResponse,
  type ResponseConversion
} from '../../src/recorder/cassette/record/recorded-response.ts'
import type { WikiRequest } from '../../src/recorder/request/api-request.ts'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'

/** @param now time of the answer in milliseconds */
export const toRecordedResponse = (
  request: WikiRequest,
  answer: WikiAnswer,
  now: number,
  selection: CookieSelection = { optedIn: [], sessions: [] }
): ResponseConversion => convertResponse(request, answer, now, selection)
