import { openSide } from '../src/cli/drift-side.ts'
import { diffCassettes } from '../src/drift/diff.ts'
const m=(t:string)=>{ (globalThis as any).gc(); const u=process.memoryUsage(); console.log(t, (u.heapUsed/1e6).toFixed(0), 'heap', (u.rss/1e6).toFixed(0),'rss', (process.resourceUsage().maxRSS/1024).toFixed(0),'max')}
m('start')
const a=openSide('/tmp/bd/a').side; m('a')
const b=openSide('/tmp/bd/b').side; m('b')
const r=diffCassettes(a,b); m('diff'); console.log(r.findings.length, a.interactions.length, b.interactions.length)
