/** The HTML page of reports: light and dark, phone to desktop, print; filters, search, keys, deep links, marks of viewed findings. */
import type { SeverityGroup } from '../labels.ts'
import { escapeHtmlText } from './html-finding.ts'

const htmlStyle = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1c2128;--soft:#57606a;--line:#d8dee4;--code:#f3f5f8;
--link:#0b57d0;--del:#ffe2e0;--del2:#ffb8b3;--ins:#ddf6e3;--ins2:#a6e5b6;--focus:#0b57d0;
--breaking:#b3261e;--risky:#9a5b00;--additive:#1a7f37;--note:#0b6b8a;--cosmetic:#6e7781;--data:#5b4bb7;--shadow:0 1px 2px #0000000f}
@media (prefers-color-scheme:dark){:root{--bg:#0e1116;--card:#171b22;--ink:#e3e8ee;--soft:#9aa5b1;--line:#2b323c;--code:#10141a;
--link:#8ab4f8;--del:#3c1816;--del2:#7d2a25;--ins:#10301c;--ins2:#1f6335;--focus:#8ab4f8;
--breaking:#ff8a80;--risky:#f2b45c;--additive:#6fd08c;--note:#6cc7e6;--cosmetic:#9aa5b1;--data:#b3a6ff;--shadow:none}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--link)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}
header,main,.bar{max-width:1180px;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
.brand{color:var(--soft);font-size:.8rem;letter-spacing:.08em;text-transform:uppercase;margin:0}
h1{font-size:1.55rem;line-height:1.25;margin:.2rem 0 1rem;font-weight:650;overflow-wrap:anywhere}
h1::before{content:"";display:inline-block;width:.72em;height:.72em;border-radius:50%;background:var(--tone,var(--additive));margin-right:.55em}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin:0 0 .5rem}
.sides>div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.6rem .85rem;box-shadow:var(--shadow);min-width:0;overflow-wrap:anywhere}
.sides b{display:block}.sides span,.meta{color:var(--soft);font-size:.88rem}
.remark{border-left:4px solid var(--note);background:var(--card);padding:.5rem .8rem;margin:.6rem 0;border-radius:0 8px 8px 0}
.remark.fatal{border-color:var(--breaking);font-weight:600}
.bar{display:flex;flex-wrap:wrap;gap:.45rem;align-items:center;padding-top:.8rem;padding-bottom:.8rem}
.bar label.chip{display:inline-flex;align-items:center;gap:.4em;padding:.22em .7em;border:1px solid var(--line);border-radius:99px;background:var(--card);color:var(--ink);text-decoration:none;font-size:.88rem;cursor:pointer;user-select:none}
.chip i{width:.6em;height:.6em;border-radius:50%;background:var(--tone)}
.chip b{font-weight:650}
.chip input{position:absolute;opacity:0;width:1px;height:1px}
.chip:has(input:not(:checked)){opacity:.45;text-decoration:line-through}
.chip:focus-within,a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.bar input[type=search],.bar select{font:inherit;font-size:.9rem;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.3em .6em;min-width:0;max-width:100%}
.bar input[type=search]{flex:1 1 12rem}
main .bar{padding-left:0;padding-right:0}
.js-only{display:none!important}.js .js-only{display:flex!important}.js .bar.js-only{position:sticky;top:0;z-index:2;background:var(--bg);border-bottom:1px solid var(--line)}
@media (min-width:701px){html.js{scroll-padding-top:7rem}}
h2{font-size:1.02rem;margin:1.7rem 0 .55rem;display:flex;align-items:baseline;gap:.55em;flex-wrap:wrap}
h2 i{width:.62em;height:.62em;border-radius:50%;background:var(--tone);align-self:center}
h2 small{font-weight:400;color:var(--soft)}
.finding{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--tone);border-radius:8px;margin:.45rem 0;box-shadow:var(--shadow)}
.finding>details>summary{display:grid;grid-template-columns:1fr auto;gap:.1rem .9rem;padding:.55rem .85rem;cursor:pointer;list-style:none;border-radius:8px}
.finding>details>summary::-webkit-details-marker{display:none}
.finding .t{font-weight:600;overflow-wrap:anywhere}
.finding .t::before{content:"▸";display:inline-block;width:1em;color:var(--soft);transition:transform .12s}
.finding details[open]>summary .t::before{transform:rotate(90deg) translate(.05em,.1em)}
.finding .w{grid-column:1;color:var(--soft);font-size:.88rem;overflow-wrap:anywhere;padding-left:1em}
.finding .n{grid-row:1;grid-column:2;color:var(--soft);white-space:nowrap;font-variant-numeric:tabular-nums}
.finding .n b{color:var(--ink)}
.finding.row{margin:.15rem 0 .15rem 1.2rem;border-left-width:2px;box-shadow:none}
.finding.row>details>summary{display:flex;gap:.7rem;padding:.15rem .6rem;font-size:.9rem;white-space:nowrap}
.finding.row .t,.finding.row .w{min-width:0;overflow:hidden;text-overflow:ellipsis;padding:0}
.finding.row .t{flex:0 1 auto;font-weight:400}.finding.row .w{flex:1 1 0;order:1}.finding.row .n{order:2}
.finding.row>details[open]>summary{flex-wrap:wrap;white-space:normal}
.sign{display:inline-block;min-width:1.3em;color:var(--tone);font-weight:700;text-align:center}
.body{padding:.1rem .85rem .8rem 1.75rem}
.hint{background:color-mix(in srgb,var(--note) 11%,transparent);border-radius:8px;padding:.45rem .75rem;margin:.35rem 0 .6rem}
.hint b{color:var(--note)}
.path{margin:.6rem 0 .25rem;overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.5rem}
.pair figure{margin:0;min-width:0;display:flex;flex-direction:column}
.pair figcaption{font-size:.75rem;color:var(--soft)}
.pair pre{flex:1;margin:0;padding:.5rem .65rem;border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:24rem;overflow:auto;background:var(--code);border:1px solid var(--line)}
@media (min-width:701px){.pair~.pair figcaption{display:none}}
.pair .none pre{flex:none}.pair .a pre{background:var(--del)}.pair .b pre{background:var(--ins)}.pair .none pre{background:var(--code);color:var(--soft);font-style:italic}
del,ins{text-decoration:none;border-radius:3px}
del{background:var(--del2)}ins{background:var(--ins2)}
h3{margin:1.2rem 0 .4rem;font-size:1rem;overflow-wrap:anywhere}h3 code{font-weight:400;color:var(--soft)}
.asked{margin:.7rem 0 0;font-size:.9rem}.asked summary{cursor:pointer;color:var(--soft)}.asked ul{margin:.3rem 0;padding-left:1.1rem}.asked li{overflow-wrap:anywhere}
.links{margin:.6rem 0 0;font-size:.85rem;color:var(--soft);display:flex;gap:1rem;flex-wrap:wrap;align-items:center}
.links button{font:inherit;color:var(--link);background:none;border:0;padding:0;cursor:pointer;text-decoration:underline}
.finding.viewed{opacity:.55}.finding.viewed .t::after{content:" ✓";color:var(--additive)}
.finding:target,.finding.here{outline:2px solid var(--focus);outline-offset:1px}
.finding[hidden],.cause[hidden],section[hidden]{display:none}
.quiet{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.45rem 0;padding:.5rem .85rem}
.quiet summary{cursor:pointer;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{color:var(--soft);font-weight:600}
.matrix td a{display:block;text-decoration:none;color:var(--tone);font-weight:650;background:color-mix(in srgb,var(--tone) 13%,transparent);border-radius:6px;padding:.1rem .5rem;white-space:nowrap}
.matrix th:first-child{min-width:9.5rem;position:sticky;left:0;background:var(--bg)}
.matrix td.calm{color:var(--soft)}
footer{max-width:1180px;margin:2rem auto;padding:0 1.25rem;color:var(--soft);font-size:.85rem}
.js .keys.js-only{display:block!important;line-height:2}
kbd{border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;padding:0 .35em;background:var(--card);font:inherit;font-size:.85em}
.breaking{--tone:var(--breaking)}.risky{--tone:var(--risky)}.additive{--tone:var(--additive)}.note{--tone:var(--note)}.cosmetic{--tone:var(--cosmetic)}.noise,.accepted{--tone:var(--cosmetic)}.data{--tone:var(--data)}
@media (max-width:700px){body{font-size:15px}header{padding-top:1.2rem}header,main,.bar,footer{padding-left:.8rem;padding-right:.8rem}h1{font-size:1.25rem}
.sides,.pair{grid-template-columns:1fr}.body{padding-left:.85rem}.js .bar.js-only{position:static}.keys{display:none}
.finding>details>summary{grid-template-columns:1fr}.finding .n{grid-row:auto;grid-column:1;padding-left:1em;font-size:.85rem}.finding.row{margin-left:.4rem}.finding.row .n{display:none}}
@media (max-width:700px){.matrix th,.matrix td{padding:.3rem .2rem}.matrix td a{padding:.1rem .3rem;font-size:.82rem}.matrix th:first-child{min-width:7rem}.matrix th small{display:block;font-weight:400}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--code:#fff;--shadow:none;--del:#fff;--ins:#fff;--del2:#ddd;--ins2:#ddd}
body{font-size:10pt}.js .js-only,.js .keys.js-only,.js .bar.js-only,.bar,.links,.keys,.asked,.finding .t::before{display:none!important}.sides{break-inside:avoid}.pair pre{max-height:none;overflow:visible}.finding{break-inside:avoid}
details::details-content{display:block;content-visibility:visible}del{text-decoration:line-through}ins{text-decoration:underline}}
`

const htmlScript = `
(function(){
'use strict'
var root=document.documentElement,all=[].slice.call(document.querySelectorAll('.finding')),causes=[].slice.call(document.querySelectorAll('.cause')),at=-1
root.classList.add('js')
var boxes=[].slice.call(document.querySelectorAll('[data-group]')),kind=document.getElementById('kind'),scope=document.getElementById('scope'),search=document.getElementById('search'),shown=document.getElementById('shown')
function memory(){try{return window.localStorage}catch(e){return null}}
function viewed(id,value){var m=memory();if(!m)return false
try{if(value===undefined)return m.getItem('wikitape '+id)==='1';if(value)m.setItem('wikitape '+id,'1');else m.removeItem('wikitape '+id)}catch(e){}return value}
function apply(){
var groups={};boxes.forEach(function(b){groups[b.getAttribute('data-group')]=b.checked})
var words=search.value.toLowerCase().split(/\\s+/).filter(Boolean),count=0
all.forEach(function(f){
var ok=groups[f.getAttribute('data-in')]!==false&&(!kind.value||f.getAttribute('data-kind')===kind.value)&&(!scope.value||f.getAttribute('data-scope')===scope.value)
if(ok&&words.length){var text=(f.textContent||'').toLowerCase();ok=words.every(function(w){return text.indexOf(w)>=0})}
f.hidden=!ok})
;causes.forEach(function(c){c.hidden=!c.querySelector('.finding:not([hidden])');if(!c.hidden)count++})
;[].forEach.call(document.querySelectorAll('section[data-section]'),function(s){s.hidden=!s.querySelector('.finding:not([hidden])')})
shown.textContent=count===causes.length?'':count+' of '+causes.length+' causes'}
function open(f,value){var d=f.querySelector('details');if(d)d.open=value===undefined?!d.open:value}
function go(step){
var list=all.filter(function(f){return !f.hidden});if(!list.length)return
var now=list.indexOf(all[at]);now=Math.max(0,Math.min(list.length-1,now<0?(step>0?0:list.length-1):now+step))
if(all[at])all[at].classList.remove('here')
at=all.indexOf(list[now]);all[at].classList.add('here')
var s=all[at].querySelector('summary');if(s)s.focus({preventScroll:true});all[at].scrollIntoView({block:'nearest'})}
function tick(f){var v=!f.classList.contains('viewed');f.classList.toggle('viewed',v);viewed(f.id,v);if(v)open(f,false)}
boxes.concat([kind,scope]).forEach(function(e){if(e)e.addEventListener('change',apply)})
if(search)search.addEventListener('input',apply)
all.forEach(function(f){if(viewed(f.id))f.classList.add('viewed')
;[].forEach.call(f.querySelectorAll('button[data-do]'),function(b){b.addEventListener('click',function(){
if(b.getAttribute('data-do')==='tick')tick(f)
else if(navigator.clipboard)navigator.clipboard.writeText(f.getAttribute('data-print')||'').then(function(){b.textContent='copied'})})})})
document.addEventListener('keydown',function(e){
if(e.ctrlKey||e.metaKey||e.altKey)return
var tag=(e.target&&e.target.tagName)||''
if(tag==='INPUT'&&e.target.type==='search'||tag==='SELECT'){if(e.key==='Escape'){e.target.blur()}return}
if(e.key==='j')go(1);else if(e.key==='k')go(-1)
else if(e.key==='/'&&search){e.preventDefault();search.focus()}
else if(e.key==='o'&&all[at])open(all[at])
else if(e.key==='v'&&all[at]){tick(all[at]);go(1)}
else if(e.key==='e')all.forEach(function(f){open(f,true)})
else if(e.key==='c')all.forEach(function(f){open(f,false)})})
function follow(){var id=decodeURIComponent(location.hash.slice(1)),f=id&&document.getElementById(id)
if(f&&f.classList.contains('finding')){f.hidden=f.parentNode.hidden=false;open(f,true);at=all.indexOf(f);f.scrollIntoView()}}
window.addEventListener('hashchange',follow);window.addEventListener('beforeprint',function(){all.forEach(function(f){open(f,true)})})
if(search)apply();follow()
})()
`

const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const keyboardHelp =
  '<kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>o</kbd> open, <kbd>v</kbd> viewed, <kbd>/</kbd> search, <kbd>e</kbd> <kbd>c</kbd> open and close all'

/** @param title is text; the others are HTML */
export const htmlPage = (
  title: string,
  tone: SeverityGroup,
  head: string,
  main: string,
): string => `<!DOCTYPE html>
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
