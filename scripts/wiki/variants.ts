/** Wikis that differ from the lab's own in what may change orders and continue values: language, letters, database. */
import { labPortBase, labUrl, labVersions } from './lab.ts'
import { LabProblem } from './machine/command.ts'

/** What a variant changes of the lab's wiki. */
interface Variant {
  /** Appended to LocalSettings.php. */
  readonly settings: string
  readonly lang?: string
  /** Made out of the lab's own wiki in seconds: its tables and its content are the same, or have more rows. */
  readonly copied?: true
  /** Its port is that much above the one of the lab's own wiki, unless another is named. */
  readonly port?: number
  /** Pages on top, such as draw what is false out of a rule (content/nasty.ts). */
  readonly nasty?: true
  /** The wiki's tables are in a MariaDB that the lab starts (machine/mariadb.ts); PHP is told its address. */
  readonly mariadb?: true
}

/** The content is the same everywhere: its Russian names of namespaces are aliases where the wiki speaks otherwise. */
const aliases = `
$wgNamespaceAliases += [ 'Обсуждение' => 1, 'Участник' => 2, 'Участница' => 2, 'Обсуждение_участника' => 3, 'Файл' => 6,
	'Обсуждение_файла' => 7, 'Шаблон' => 10, 'Обсуждение_шаблона' => 11, 'Категория' => 14, 'Обсуждение_категории' => 15 ];`

/** Extensions of Debian's packages that bring modules of the API; each version has some of them. */
const modular = [
  ...[
    'AbuseFilter',
    'CategoryTree',
    'DiscussionTools',
    'Echo',
    'Linter',
    'OATHAuth',
    'Scribunto'
  ],
  ...['SpamBlacklist', 'Thanks', 'TitleBlacklist', 'VisualEditor']
]

/** How the cheap ones are made, and where they serve. */
const copied = (port: number, settings: string): Variant => ({
  settings,
  port,
  copied: true
})
/** A file of php/lab, which stands beside the settings. */
const loaded = (name: string): string => `require_once __DIR__ . '/lab/${name}.php';`

export type VariantName =
  | 'english'
  | 'any-case'
  | 'uca'
  | 'extensions'
  | 'mariadb'
  | 'miser'
  | 'sr'
  | 'zh'
  | 'nasty'
  | 'replaced'
  | 'busy'
  | 'bearer'
  | 'small'
  | 'high'

const all: Readonly<Record<VariantName, Variant>> = {
  english: { lang: 'en', settings: `$wgLanguageCode = 'en';${aliases}` },
  'any-case': { settings: '$wgCapitalLinks = false;' },
  uca: { settings: "$wgCategoryCollation = 'uca-default';" },
  miser: copied(200, '$wgMiserMode = true;'),
  sr: copied(300, "$wgLanguageCode = 'sr';"),
  zh: copied(400, "$wgLanguageCode = 'zh';"),
  nasty: {
    ...copied(500, "$wgGroupPermissions['sysop']['deleterevision'] = true;"),
    nasty: true
  },
  replaced: copied(600, loaded('replaced')),
  busy: copied(700, loaded('busy')),
  bearer: copied(900, loaded('bearer')),
  small: copied(1000, '$wgAPIMaxResultSize = 20000; $wgDebugToolbar = false;'),
  high: copied(1100, "$wgGroupPermissions['*']['apihighlimits'] = true;"),
  extensions: {
    settings: `foreach ( [ '${modular.join("', '")}' ] as $one ) {
	if ( is_file( "$IP/extensions/$one/extension.json" ) ) { wfLoadExtension( $one ); }
}`
  },
  mariadb: {
    mariadb: true,
    settings: `$wgDBtype = 'mysql';
$wgDBserver = getenv( 'WIKITAPE_LAB_MARIADB' );
$wgDBuser = 'root';
$wgDBpassword = '';
$wgDBservers = false;
$wgSharedTables = [];
$wgObjectCaches[CACHE_DB] = [ 'class' => 'SqlBagOStuff', 'loggroup' => 'SQLBagOStuff' ];`
  }
}

const variantNames = Object.keys(all) as readonly VariantName[]

/** Reads `english+uca`, and `plain` for none. @throws LabProblem */
export function readVariants(text: string): readonly VariantName[] {
  return text
    .split('+')
    .filter((name) => name !== '' && name !== 'plain')
    .map((name) => {
      const variant = variantNames.find((known) => known === name)
      if (variant === undefined)
        throw new LabProblem(
          `There is no variant "${name}"; there are ${variantNames.join(', ')}.`,
          2
        )
      return variant
    })
}

const chosen = (names: readonly VariantName[]): readonly Variant[] =>
  names.map((name): Variant => all[name])

/** What is appended to LocalSettings.php; empty for the lab's own wikis. */
export const settingsOf = (names: readonly VariantName[]): string =>
  chosen(names)
    .map(({ settings }) => `\n${settings}\n`)
    .join('')

export const languageOf = (names: readonly VariantName[]): string =>
  chosen(names).flatMap(({ lang }) => lang ?? [])[0] ?? 'ru'

/** True where the tables are in MariaDB rather than in SQLite. */
export const usesMariadb = (names: readonly VariantName[]): boolean =>
  chosen(names).some(({ mariadb }) => mariadb)

/** True where a copy of the lab's own wiki is all that it takes. */
export const isCopied = (names: readonly VariantName[]): boolean =>
  names.length > 0 && chosen(names).every(({ copied }) => copied)

export const hasNastyContent = (names: readonly VariantName[]): boolean =>
  chosen(names).some(({ nasty }) => nasty)

/** How far above the ports of the lab's own wikis these serve. */
export const portOffsetOf = (names: readonly VariantName[]): number =>
  names.length === 1 ? (chosen(names)[0]?.port ?? 0) : 0

/** A wiki of the lab that programs compare answers with, unless they are given others. */
interface ComparedWiki {
  readonly name: string
  readonly url: string
  /** Undefined for one of the lab's own. */
  readonly kind?: VariantName
}

const comparedKinds = ['miser', 'sr', 'zh'] as const

export const comparedWikis: readonly ComparedWiki[] = [
  ...labVersions.map((version) => ({ name: version, url: labUrl(version) })),
  ...(['1.39', '1.43'] as const).flatMap((version) =>
    comparedKinds.map((kind) => ({
      name: `${version} in ${kind}`,
      url: labUrl(version, labPortBase() + portOffsetOf([kind])),
      kind
    }))
  )
]
