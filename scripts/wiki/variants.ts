/** Wikis that differ from the lab's own in what may change orders and continue values: language, letters, database. */
import { LabProblem } from './machine/command.ts'

/** What a variant changes of the lab's wiki. */
interface Variant {
  /** Appended to LocalSettings.php. */
  readonly settings: string
  readonly lang?: string
  /** The wiki's tables are in a MariaDB that the lab starts (machine/mariadb.ts); PHP is told its address. */
  readonly mariadb?: true
}

/** The content is the same everywhere: its Russian names of namespaces are aliases where the wiki speaks otherwise. */
const aliases = `
$wgNamespaceAliases += [ 'Обсуждение' => 1, 'Участник' => 2, 'Участница' => 2, 'Обсуждение_участника' => 3, 'Файл' => 6,
	'Обсуждение_файла' => 7, 'Шаблон' => 10, 'Обсуждение_шаблона' => 11, 'Категория' => 14, 'Обсуждение_категории' => 15 ];`

/** Extensions of Debian's packages that bring modules of the API; each version has some of them. */
const modular = [
  ...['AbuseFilter', 'CategoryTree', 'DiscussionTools', 'Echo', 'Linter', 'OATHAuth', 'Scribunto'],
  ...['SpamBlacklist', 'Thanks', 'TitleBlacklist', 'VisualEditor'],
]

export type VariantName = 'english' | 'any-case' | 'uca' | 'miser' | 'extensions' | 'mariadb'

const all: Readonly<Record<VariantName, Variant>> = {
  english: { lang: 'en', settings: `$wgLanguageCode = 'en';${aliases}` },
  'any-case': { settings: '$wgCapitalLinks = false;' },
  uca: { settings: "$wgCategoryCollation = 'uca-default';" },
  miser: { settings: '$wgMiserMode = true;' },
  extensions: {
    settings: `foreach ( [ '${modular.join("', '")}' ] as $one ) {
	if ( is_file( "$IP/extensions/$one/extension.json" ) ) { wfLoadExtension( $one ); }
}`,
  },
  mariadb: {
    mariadb: true,
    settings: `$wgDBtype = 'mysql';
$wgDBserver = getenv( 'WIKITAPE_LAB_MARIADB' );
$wgDBuser = 'root';
$wgDBpassword = '';
$wgDBservers = false;
$wgSharedTables = [];
$wgObjectCaches[CACHE_DB] = [ 'class' => 'SqlBagOStuff', 'loggroup' => 'SQLBagOStuff' ];`,
  },
}

const variantNames = Object.keys(all) as readonly VariantName[]

/** Reads `english+uca`. @throws LabProblem */
export function readVariants(text: string): readonly VariantName[] {
  return text
    .split('+')
    .filter((name) => name !== '')
    .map((name) => {
      const variant = variantNames.find((known) => known === name)
      if (variant === undefined)
        throw new LabProblem(`There is no variant "${name}"; there are ${variantNames.join(', ')}.`, 2)
      return variant
    })
}

const chosen = (names: readonly VariantName[]): readonly Variant[] => names.map((name): Variant => all[name])

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
