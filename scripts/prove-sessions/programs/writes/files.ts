/** Files and the stash. */
import { more, pick, posts, type Write } from './write.ts'

const pixel = (last: number): string =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    Buffer.from(`file ${last}`)
  ]).toString('base64')

export const files: Readonly<Record<string, Write>> = {
  upload: {
    does: (script, { who, draw }) =>
      void script.file(
        who,
        {
          action: 'upload',
          filename: pick(draw, ['Prove.png', 'Prove U.png'] as const),
          comment: 'u',
          ...more(draw, [{}, { ignorewarnings: '1' }]),
          token: '{csrf}'
        },
        pixel(draw(3))
      ),
    seen: ['imageinfo', 'allimages', 'stashed', 'logevents']
  },
  stash: {
    does: (script, { who, draw }) =>
      void script.file(
        who,
        {
          action: 'upload',
          filename: 'Prove S.png',
          stash: '1',
          ignorewarnings: '1',
          token: '{csrf}'
        },
        pixel(draw(3))
      ),
    seen: ['stashed', 'stashimage']
  },
  publish: {
    does: posts(() => ({
      action: 'upload',
      filename: 'Prove S.png',
      filekey: '{filekey}',
      ignorewarnings: '1',
      comment: 'p'
    })),
    seen: ['stashed', 'stashimage', 'allimages']
  },
  chunk: {
    does: (script, { who, draw }) =>
      void script.file(
        who,
        {
          action: 'upload',
          filename: 'Prove K.png',
          stash: '1',
          filesize: '4000',
          offset: '0',
          ignorewarnings: '1',
          token: '{csrf}'
        },
        pixel(draw(3) + 1000),
        'chunk'
      ),
    seen: ['stashed']
  },
  deletefile: {
    does: posts(() => ({ action: 'delete', title: 'File:Prove.png', reason: 'f' })),
    seen: ['imageinfo', 'filearchive', 'allimages']
  }
}
