// `pnpm run docs`: docs/, the READMEs and an API reference from the types of every public entry, as a static site in site/.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Application } from 'typedoc'
import { listPackages, root } from '../packages.mjs'
import { listPages, parseMarkdown } from './markdown.mjs'
import { rewriteLinks } from './site-links.mjs'

const SOURCE = '@agent-terminals/source'
const HOME = 'README.md'

/** @returns {Map<string, string>} source file → what a program imports. */
function listEntries() {
  return new Map(
    listPackages()
      .filter(({ manifest }) => !manifest.private && manifest.name !== 'agent-terminals')
      .flatMap(({ dir, manifest }) =>
        Object.entries(manifest.exports).flatMap(([entry, target]) =>
          target[SOURCE] === undefined ? [] : [[join(dir, target[SOURCE]), manifest.name + entry.slice(1)]],
        ),
      ),
  )
}

/** Pages and their images as they stand on the site: links to what is not on it lose their target. */
function stagePages(pages, staging) {
  const shown = new Set(pages)
  for (const page of pages) {
    const path = join(staging, page)
    mkdirSync(dirname(path), { recursive: true })
    const text = readFileSync(join(root, page), 'utf8')
    const title = JSON.stringify(parseMarkdown(text).title ?? page)
    writeFileSync(path, `---\ntitle: ${title}\n---\n\n${rewriteLinks(text, page, shown)}`)
  }
  cpSync(join(root, 'docs/images'), join(staging, 'docs/images'), { recursive: true })
  return pages.filter((page) => page !== HOME).map((page) => join(staging, page))
}

const out = join(root, 'site')
const staging = mkdtempSync(join(tmpdir(), 'docs-'))
try {
  const entries = listEntries()
  const pages = listPages(root).filter((page) => !page.startsWith('.') && !page.startsWith('bench/'))
  const app = await Application.bootstrap({
    name: 'agent-terminals',
    entryPoints: [...entries.keys()],
    tsconfig: join(root, 'scripts/docs/tsconfig.json'),
    projectDocuments: stagePages(pages, staging),
    readme: join(staging, HOME),
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableGit: true,
    sourceLinkTemplate: '',
    disableSources: true,
    hideGenerator: true,
    // The compiler has its own check (npm run typecheck); here only comments and types are read.
    skipErrorChecking: true,
    highlightLanguages: ['bash', 'js', 'json', 'jsonc', 'sh', 'text', 'toml', 'ts', 'tsx', 'yaml'],
    validation: { notExported: false, invalidLink: true, invalidPath: true },
    logLevel: 'Warn',
  })
  const points = app.getEntryPoints() ?? []
  for (const point of points) point.displayName = entries.get(point.sourceFile.fileName) ?? point.displayName
  const project = app.converter.convert(points)
  app.validate(project)
  rmSync(out, { recursive: true, force: true })
  await app.generateDocs(project, out)
  if (app.logger.hasErrors() || points.length !== entries.size) process.exitCode = 1
  console.log(`docs: ${pages.length} pages, ${points.length} of ${entries.size} entries, in site/`)
} finally {
  rmSync(staging, { recursive: true, force: true })
}
