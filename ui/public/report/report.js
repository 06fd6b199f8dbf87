// What runs in a drift report (wikitape diff --format html): filters, search, keys, deep links, marks of viewed findings.
// Plain JavaScript, so that a report written without a build has it as well.

/** @param {string} selector @param {ParentNode} [within] */
const all = (selector, within = document) =>
  /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)])

const findings = all('.finding')
const causes = all('.cause')
const groups = /** @type {HTMLInputElement[]} */ (all('[data-group]'))
const kind = /** @type {HTMLSelectElement | null} */ (document.querySelector('#kind'))
const scope = /** @type {HTMLSelectElement | null} */ (document.querySelector('#scope'))
const search = /** @type {HTMLInputElement | null} */ (document.querySelector('#search'))
const shown = document.querySelector('#shown')

/** The index of the finding that the keys have reached. */
let current = -1

/** Undefined where the browser keeps nothing for this page. */
function storage() {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

/** @param {string} id */
function isViewed(id) {
  try {
    return storage()?.getItem(`wikitape ${id}`) === '1'
  } catch {
    return false
  }
}

/** @param {string} id @param {boolean} viewed */
function saveViewed(id, viewed) {
  try {
    if (viewed) storage()?.setItem(`wikitape ${id}`, '1')
    else storage()?.removeItem(`wikitape ${id}`)
  } catch {
    // A full or forbidden storage: the mark lasts as long as the page.
  }
}

/** @param {HTMLElement} finding @param {string[]} words */
function isWanted(finding, words) {
  const { in: group = '', kind: ofKind, scope: ofScope } = finding.dataset
  const isOff = groups.some((box) => box.dataset.group === group && !box.checked)
  if (isOff) return false
  if (kind?.value && ofKind !== kind.value) return false
  if (scope?.value && ofScope !== scope.value) return false

  const text = (finding.textContent ?? '').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** @param {HTMLElement} place */
const hasShown = (place) => place.querySelector('.finding:not([hidden])') !== null

function applyFilters() {
  const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  for (const finding of findings) finding.hidden = !isWanted(finding, words)
  for (const cause of causes) cause.hidden = !hasShown(cause)
  for (const section of all('section[data-section]')) section.hidden = !hasShown(section)

  const count = causes.filter((cause) => !cause.hidden).length
  const text = count === causes.length ? '' : `${count} of ${causes.length} causes`
  if (shown) shown.textContent = text
}

/** @param {HTMLElement | undefined} finding @param {boolean} [isOpen] the other state unless given */
function setOpen(finding, isOpen) {
  const details = finding?.querySelector('details')
  if (details) details.open = isOpen ?? !details.open
}

/** @param {1 | -1} step */
function goTo(step) {
  const visible = findings.filter((finding) => !finding.hidden)
  const last = visible.length - 1
  const here = findings[current]
  const from = here === undefined ? -1 : visible.indexOf(here)
  const start = step > 0 ? 0 : last
  const next = from < 0 ? start : Math.max(0, Math.min(last, from + step))
  const target = visible[next]
  if (target === undefined) return

  here?.classList.remove('here')
  current = findings.indexOf(target)
  target.classList.add('here')
  target.querySelector('summary')?.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
}

/** @param {HTMLElement} finding */
function toggleViewed(finding) {
  const viewed = finding.classList.toggle('viewed')
  saveViewed(finding.id, viewed)
  if (viewed) setOpen(finding, false)
}

/** @param {HTMLElement} finding @param {HTMLElement} button */
function copyFingerprint(finding, button) {
  const written = navigator.clipboard?.writeText(finding.dataset.print ?? '')
  written?.then(
    () => {
      button.textContent = 'copied'
    },
    () => undefined
  )
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return

  const { target } = event
  const isSearch = target instanceof HTMLInputElement && target.type === 'search'
  if (isSearch || target instanceof HTMLSelectElement) {
    if (event.key === 'Escape') target.blur()
    return
  }
  const here = findings[current]
  switch (event.key) {
    case 'j':
      goTo(1)
      break
    case 'k':
      goTo(-1)
      break
    case '/':
      if (search === null) return
      event.preventDefault()
      search.focus()
      break
    case 'o':
      setOpen(here)
      break
    case 'v':
      if (here === undefined) return
      toggleViewed(here)
      goTo(1)
      break
    case 'e':
      for (const finding of findings) setOpen(finding, true)
      break
    case 'c':
      for (const finding of findings) setOpen(finding, false)
      break
  }
}

/** Shows the finding that the address names. */
function followAddress() {
  const id = decodeURIComponent(location.hash.slice(1))
  const finding = findings.find((one) => one.id === id)
  if (finding === undefined) return

  finding.hidden = false
  if (finding.parentElement) finding.parentElement.hidden = false
  setOpen(finding, true)
  current = findings.indexOf(finding)
  finding.scrollIntoView()
}

document.documentElement.classList.add('js')
for (const control of [...groups, kind, scope])
  control?.addEventListener('change', applyFilters)
search?.addEventListener('input', applyFilters)
for (const finding of findings) {
  if (isViewed(finding.id)) finding.classList.add('viewed')
  for (const button of all('button[data-do]', finding))
    button.addEventListener('click', () => {
      if (button.dataset.do === 'tick') toggleViewed(finding)
      else copyFingerprint(finding, button)
    })
}
document.addEventListener('keydown', onKey)
window.addEventListener('hashchange', followAddress)
window.addEventListener('beforeprint', () => {
  for (const finding of findings) setOpen(finding, true)
})
if (search) applyFilters()
followAddress()
