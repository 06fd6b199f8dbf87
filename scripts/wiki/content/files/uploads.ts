/** Uploaded files: all four formats, the same bytes under many names, long histories, and files deleted again. */

import { admin, author } from '../people.ts'
import { type Step, type StepGroup, timeline } from '../step.ts'
import { numbers, two } from '../words.ts'
import { gif, png, svg } from './images.ts'
import { jpeg } from './jpeg.ts'

type Format = 'png' | 'gif' | 'jpg' | 'svg'

export interface ImageFile {
  readonly file: string
  readonly bytes: Buffer
}

const formats: readonly Format[] = [
  ...([
    'png',
    'jpg',
    'png',
    'gif',
    'svg',
    'jpg',
    'gif',
    'png',
    'png',
    'svg',
    'jpg',
    'png'
  ] as const),
  ...([
    'gif',
    'svg',
    'png',
    'jpg',
    'gif',
    'png',
    'jpg',
    'svg',
    'png',
    'gif',
    'jpg',
    'svg'
  ] as const)
]

const makers = { png, gif, svg, jpg: jpeg }

/** Names under which pages use files: Map 00.png … Map 23.svg and Карта 00.png … Карта 21.png. */
export const mapNames: readonly string[] = formats.map(
  (format, index) => `Map ${two(index)}.${format}`
)
export const chartNames: readonly string[] = numbers(22).map(
  (index) => `Карта ${two(index)}.png`
)

const copyNames = numbers(33).map((index) => `Копия ${two(index)}.png`)
const oddNames = [
  'Ёж & ёж.png',
  "Том's +1.png",
  '東京.png',
  '🦊.png',
  'Йод (знак).svg',
  'Вид/с/горы.png'.replaceAll('/', '-')
]
export const lostNames: readonly string[] = numbers(33).map(
  (index) => `Утрата ${two(index)}.png`
)
export const historyName = 'Летопись.png'
const historyLength = 34

function image(format: Format, seed: number): ImageFile {
  const size = { width: 160 + (seed % 24) * 8, height: 96 + (seed % 17) * 4 }
  return { file: `${format}-${seed}.${format}`, bytes: makers[format](size, seed) }
}

interface Upload {
  readonly name: string
  readonly images: readonly ImageFile[]
}

/** `Вид NN.png` has the bytes of the NNth png among the maps; every `Копия` those of Map 07.png. */
function uploads(): readonly Upload[] {
  const maps = formats.map((format, index) => ({
    name: mapNames[index] ?? '',
    images: [image(format, index)]
  }))
  const pngs = maps.filter(({ name }) => name.endsWith('.png'))
  const views = pngs
    .slice(0, 6)
    .map(({ images }, index) => ({ name: `Вид ${two(index)}.png`, images }))
  const charts = chartNames.map((name, index) => ({
    name,
    images: [image('png', 100 + index)]
  }))
  const copies = copyNames.map((name) => ({ name, images: [image('png', 7)] }))
  const odd = oddNames.map((name, index) => ({
    name,
    images: [image(name.endsWith('svg') ? 'svg' : 'png', 200 + index)]
  }))
  const lost = lostNames.map((name, index) => ({
    name,
    images: [image('png', 300 + index)]
  }))
  const history = {
    name: historyName,
    images: numbers(historyLength).map((index) => image('png', 400 + index))
  }
  return [...maps, ...views, ...charts, ...copies, ...odd, ...lost, history]
}

export function imageFiles(): readonly ImageFile[] {
  const byName = new Map(
    uploads().flatMap(({ images }) => images.map((one) => [one.file, one] as const))
  )
  return [...byName.values()]
}

export function uploadGroups(): readonly StepGroup[] {
  const tick = timeline('2024-09-01T00:00:00Z', 600)
  return uploads().map(({ name, images }, index) =>
    images.map(
      ({ file }, version): Step => ({
        kind: 'upload',
        at: tick(),
        as: name.startsWith('Утрата') ? admin : author(index + version),
        name,
        file,
        comment: version === 0 ? `Загрузка файла ${name}` : `Версия ${version + 1}`,
        text: `Файл «${name}».\n\n[[Категория:Файлы ${index % 3}]]`
      })
    )
  )
}
