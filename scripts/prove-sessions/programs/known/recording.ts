/** Wrong while recording. */
import { block, type Known, known, pixel, upload } from './known.ts'

export const whileRecording: readonly Known[] = [
  known('a refused edit is asked again after the block is lifted', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Dora')
      .post(0, block('Dora'))
      .edit(1, 'Prove C', 'by Dora')
      .post(0, { action: 'unblock', user: 'Dora', token: '{csrf}' })
      .cookies(1, 'none')
      .login(1, 'Dora')
      .edit(1, 'Prove C', 'by Dora')
      .read(0, 'revisions', { title: 'Prove C' })
  ),
  known('an edit is asked again after a cascade is lifted', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Dora')
      .post(0, {
        action: 'protect',
        title: 'Prove P',
        protections: 'edit=sysop',
        cascade: '1',
        token: '{csrf}'
      })
      .edit(1, 'Prove A', 'by Dora')
      .post(0, {
        action: 'protect',
        title: 'Prove P',
        protections: 'edit=all',
        token: '{csrf}'
      })
      .edit(1, 'Prove A', 'by Dora')
      .read(0, 'revisions')
  ),
  known('the visual editor saves', (s) =>
    s
      .login(0, 'Bob')
      .edit(0, 'Prove C', 'first')
      .read(0, 'revisions', { title: 'Prove C' })
      .read(0, 'usercontribs')
      .post(0, {
        action: 'visualeditoredit',
        paction: 'save',
        page: 'Prove C',
        html: '<p>second</p>',
        token: '{csrf}'
      })
      .read(0, 'revisions', { title: 'Prove C' })
      .read(0, 'usercontribs')
  ),
  known('a topic is added to a talk page', (s) =>
    s
      .login(0, 'Bob')
      .read(0, 'info', { title: 'Talk:Prove B' })
      .read(0, 'usercontribs')
      .post(0, {
        action: 'discussiontoolsedit',
        paction: 'addtopic',
        page: 'Talk:Prove B',
        sectiontitle: 'T',
        wikitext: 'hello',
        token: '{csrf}'
      })
      .read(0, 'info', { title: 'Talk:Prove B' })
      .read(0, 'usercontribs')
  ),
  ...(['cut', '504', 'left'] as const).map((trouble) =>
    known(`an edit whose answer was ${trouble}`, (s) =>
      s
        .login(0, 'Bob')
        .read(0, 'revisions')
        .read(0, 'recentchanges')
        .edit(0, 'Prove A', 'made though nobody was told', {}, trouble)
        .read(0, 'revisions')
        .read(0, 'recentchanges')
    )
  ),
  known('an edit that changes nothing updates links', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Bob')
      .read(1, 'membersofv')
      .read(1, 'watched', { title: 'Prove V' })
      .read(1, 'watchlistraw')
      .edit(0, 'Prove C', 'there')
      .read(1, 'membersofv')
      .post(1, {
        action: 'edit',
        title: 'Prove V',
        appendtext: '',
        watchlist: 'watch',
        token: '{csrf}'
      })
      .read(1, 'membersofv')
      .read(1, 'watched', { title: 'Prove V' })
      .read(1, 'watchlistraw')
  ),
  known('a filtered edit is in the log', (s) =>
    s
      .login(0, 'Admin')
      .read(0, 'abuselog')
      .login(1, 'Bob')
      .edit(1, 'Prove C', 'forbidden')
      .read(0, 'abuselog')
  ),
  known('an upload with warnings is stashed', (s) =>
    s
      .login(0, 'Admin')
      .read(0, 'stashed')
      .file(0, { action: 'upload', filename: 'Prove.png', token: '{csrf}' }, pixel)
      .read(0, 'stashed')
  ),
  known('a chunk is stashed', (s) =>
    s
      .login(0, 'Admin')
      .read(0, 'stashed')
      .file(
        0,
        { ...upload, stash: '1', filesize: '4000', offset: '0' },
        pixel.repeat(4),
        'chunk'
      )
      .read(0, 'stashed')
  ),
  known('a blocked edit blocks the address', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Dora')
      .post(0, { ...block('Dora'), autoblock: '1' })
      .read(0, 'blocks')
      .edit(1, 'Prove C', 'blocked')
      .read(0, 'blocks')
  ),
  known('a page that is viewed is seen', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Bob')
      .edit(0, 'Prove A', 'news')
      .read(1, 'watched')
      .read(1, 'watchlist')
      .path(1, 'GET', '/w/index.php?title=Prove_A')
      .read(1, 'watched')
      .read(1, 'watchlist')
  ),
  known('an answer that comes after the edit of another', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Bob')
      .read(1, 'revisions', { trouble: 'held' })
      .edit(0, 'Prove A', 'second')
      .read(1, 'revisions')
      .read(0, 'revisions')
  ),
  known('a stashed file is published', (s) =>
    s
      .login(0, 'Admin')
      .file(0, { ...upload, stash: '1' }, pixel)
      .read(0, 'stashimage')
      .post(0, { ...upload, filekey: '{filekey}' })
      .read(0, 'stashimage')
  ),
  known('a partial block follows its page', (s) =>
    s
      .login(0, 'Admin')
      .post(0, {
        ...block('Dora'),
        partial: '1',
        pagerestrictions: 'Prove B',
        allowusertalk: '1'
      })
      .read(0, 'blocks')
      .post(0, { action: 'move', from: 'Prove B', to: 'Prove M', token: '{csrf}' })
      .read(0, 'blocks')
      .post(0, { action: 'delete', title: 'Prove M', token: '{csrf}' })
      .read(0, 'blocks')
  ),
  known('a protection that was inherited ends with its source', (s) =>
    s
      .login(0, 'Admin')
      .post(0, {
        action: 'protect',
        title: 'Prove P',
        protections: 'edit=sysop',
        cascade: '1',
        token: '{csrf}'
      })
      .read(0, 'protection')
      .post(0, { action: 'delete', title: 'Prove P', token: '{csrf}' })
      .read(0, 'protection')
  ),
  known('a hidden user is hidden everywhere', (s) =>
    s
      .login(0, 'Admin')
      .login(1, 'Dora')
      .edit(1, 'Prove B', 'by Dora')
      .read(2, 'history', { title: 'Prove B' })
      .read(2, 'contributors', { title: 'Prove B' })
      .post(0, { ...block('Dora'), hidename: '1' })
      .read(2, 'history', { title: 'Prove B' })
      .read(2, 'contributors', { title: 'Prove B' })
  ),
  known('a second run that writes sees one state', (s) =>
    s
      .read(1, 'revisions', { title: 'Prove C' })
      .login(0, 'Admin')
      .edit(0, 'Prove C', 'made')
      .restart()
      .read(1, 'revisions', { title: 'Prove C' })
      .read(1, 'info', { title: 'Prove C' })
  )
]
