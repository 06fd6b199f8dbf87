/** The frame of every HTML report: one file, no network, nothing but its own script. */

import type { Group } from '../labels.ts'
import { escapeText } from './html-finding.ts'
import { htmlScript } from './html-script.ts'
import { htmlStyle } from './html-style.ts'

/** `head` and `main` are HTML; `title` is text. */
export interface PageParts {
  readonly title: string
  readonly tone: Group
  readonly head: string
  readonly main: string
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const keys =
  '<kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>o</kbd> open, <kbd>v</kbd> viewed, <kbd>/</kbd> search, <kbd>e</kbd> <kbd>c</kbd> open and close all'

export const page = ({ title, tone, head, main }: PageParts): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeText(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header class="${tone}"><p class="brand">wikitape · drift report</p>${head}</header>
<main>${main}</main>
<footer><p class="keys js-only">${keys}</p></footer>
<script>${htmlScript}</script>
</body>
</html>
`
