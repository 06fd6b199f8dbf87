/** The pages of docs/ as a site, in the order of somebody's first days; nothing is loaded from elsewhere. */
import { cpSync, rmSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const page = (text: string, link: string): { text: string; link: string } => ({
  text,
  link
})

// Copied, since what a page imports is looked for from where it lies.
rmSync('pages', { recursive: true, force: true })
cpSync('../docs', 'pages', { recursive: true })

export default defineConfig({
  title: 'wikitape',
  description:
    'Record once against a live MediaWiki, replay offline in tests, diff two wiki versions',
  srcDir: './pages',
  outDir: './dist',
  rewrites: { 'start.md': 'index.md' },
  // What lies outside of docs/ is read in the repository.
  ignoreDeadLinks: [/\.\.\//],
  lastUpdated: false,
  markdown: {
    html: false,
    // Templates of wikis are no expressions of Vue.
    config(md) {
      md.renderer.rules['text'] = (tokens, at) =>
        md.utils.escapeHtml(tokens[at]?.content ?? '').replaceAll('{{', '&#123;&#123;')
      md.renderer.rules['code_inline'] = (tokens, at) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[at]?.content ?? '')}</code>`
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Getting started',
        items: [
          page('Start', '/'),
          page('In a test suite', '/test-suites'),
          page('Wikipedia, private wikis, proxies', '/real-wikis'),
          page('In CI', '/ci'),
          page('Importing recordings', '/import')
        ]
      },
      {
        text: 'How requests are answered',
        items: [
          page('Matching', '/matching'),
          page('Paging', '/paging'),
          page('Paging, measured', '/paging-measured'),
          page('How we know', '/how-we-know'),
          page('Sessions', '/sessions'),
          page('A bad day', '/bad-day'),
          page('Reviewing a client', '/review'),
          page('Real clients', '/clients')
        ]
      },
      {
        text: 'Drift between versions',
        items: [
          page('Drift', '/drift'),
          page('Before an upgrade', '/before-an-upgrade'),
          page('A bot before an upgrade', '/drift-example'),
          page('Known changes of MediaWiki', '/known-changes')
        ]
      },
      {
        text: 'Daily use',
        items: [
          page('In a browser', '/ui'),
          page('Keeping cassettes clean', '/hygiene'),
          page('What the messages mean', '/troubleshooting'),
          page('Glossary', '/glossary'),
          page('The command line', '/cli'),
          page('The cassette format', '/cassette-format')
        ]
      },
      {
        text: 'About',
        items: [
          page('Compared with other recorders', '/comparison'),
          page('Performance', '/performance'),
          page('How it is tested', '/testing'),
          page('Security tests', '/security-tests')
        ]
      }
    ]
  }
})
