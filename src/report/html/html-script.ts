/** The script of HTML reports: filters, search, keys, deep links, marks of viewed findings. */

export const htmlScript: string = `
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
