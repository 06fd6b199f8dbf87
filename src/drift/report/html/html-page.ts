/** The HTML page of reports: light and dark, phone to desktop, print. Its markup, style and script are `ui/public/report/`. */
import { readFileSync } from 'node:fs'
import { lazy } from '../../../recorder/text/group-by.ts'
import type { SeverityGroup } from '../labels.ts'
import { escapeHtmlText } from './html-finding.ts'

/** From sources as they are written; from a bundled module, which lies in a folder of `dist/`, as they were built. */
const folder = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../../ui/public/report/'
    : '../browser/report/',
  import.meta.url
)
const readPart = (name: string) => readFileSync(new URL(name, folder), 'utf8')

const parts = lazy(() => ({
  page: readPart('report.html'),
  style: readPart('report.css'),
  script: readPart('report.js')
}))

interface ReportPage {
  /** Text; the others are HTML. */
  readonly title: string
  readonly tone: SeverityGroup
  readonly head: string
  readonly main: string
}

export function htmlPage({ title, tone, head, main }: ReportPage): string {
  const { page, style, script } = parts()
  // A function, since `$` means something in a text that replaces.
  return page
    .replace('<title>wikitape</title>', () => `<title>${escapeHtmlText(title)}</title>`)
    .replace(
      '<link rel="stylesheet" href="report.css" />',
      () => `<style>\n${style}</style>`
    )
    .replace('<script src="report.js"></script>', () => `<script>\n${script}</script>`)
    .replace('class="tone"', () => `class="${tone}"`)
    .replace('<!-- head -->', () => head)
    .replace('<!-- main -->', () => main)
}
