/** The frame of every HTML report: one file that needs no network and runs only its own script. */
import type { SeverityGroup } from '../labels.ts'
import { escapeHtmlText } from './html-finding.ts'
import { htmlScript } from './html-script.ts'
import { htmlStyle } from './html-style.ts'

/** `head` and `main` are HTML; `title` is text. */
export interface HtmlPageParts {
  readonly title: string
  readonly tone: SeverityGroup
  readonly head: string
  readonly main: string
}

const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const keyboardHelp =
  '<kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>o</kbd> open, <kbd>v</kbd> viewed, <kbd>/</kbd> search, <kbd>e</kbd> <kbd>c</kbd> open and close all'

export const htmlPage = ({ title, tone, head, main }: HtmlPageParts): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<title>${escapeHtmlText(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header class="${tone}"><p class="brand">wikitape · drift report</p>${head}</header>
<main>${main}</main>
<footer><p class="keys js-only">${keyboardHelp}</p></footer>
<script>${htmlScript}</script>
</body>
</html>
`
