/** The direction of knowledge, docs/architecture.md: app → bridge → terminal family → host contracts. */
const onlyTypes = { dependencyTypesNot: ['type-only'] }
/** Pure text helpers without dependencies: everybody may import them. */
const TEXT = '^packages/host/text/'
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    forbid('no-cycles', 'A cycle means that two modules are one.', {}, { circular: true }),
    forbid(
      'core-is-pure',
      'Pure modules know no Node, no package and nothing outside their folder (zod and text excepted).',
      { path: '^(packages/[^/]+/[^/]+/src/(?:core|protocol))/' },
      { pathNot: ['^$1/', 'node_modules/zod/', TEXT] },
    ),
    forbid(
      'core-without-node',
      'Pure modules know no Node.',
      { path: '^packages/[^/]+/[^/]+/src/(?:core|protocol)/' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'host-below-family',
      'Host services know neither the terminal family, nor bridges, nor the app.',
      { path: '^packages/host/' },
      { path: '^packages/(?:terminal|bridge|app)/' },
    ),
    forbid(
      'host-by-contract',
      'A host service knows another only by the types of its contract.',
      { path: '^packages/host/([^/]+)/src/' },
      { path: '^packages/host/', pathNot: ['^packages/host/$1/', TEXT], ...onlyTypes },
    ),
    forbid(
      'family-below-bridges',
      'The family knows neither bridges nor the app.',
      { path: '^packages/terminal/' },
      { path: '^packages/(?:bridge|app)/' },
    ),
    forbid(
      'family-host-types',
      'The family knows the host by contract: types only, so that another host can stand in.',
      { path: '^packages/terminal/[^/]+/src/' },
      { path: '^packages/host/', pathNot: [TEXT], ...onlyTypes },
    ),
    forbid(
      'family-host-contracts',
      'The family knows the host by contract modules only.',
      { path: '^packages/terminal/[^/]+/src/' },
      { path: '^packages/host/', pathNot: ['/src/contract\\.ts$', TEXT] },
    ),
    forbid(
      'bridges-host-types',
      'Bridges know the host by contract: types only.',
      { path: '^packages/bridge/[^/]+/src/' },
      { path: '^packages/host/', pathNot: [TEXT], ...onlyTypes },
    ),
    forbid(
      'bridges-host-contracts',
      'Bridges know the host by contract modules only.',
      { path: '^packages/bridge/[^/]+/src/' },
      { path: '^packages/host/', pathNot: ['/src/contract\\.ts$', TEXT] },
    ),
    forbid(
      'bridges-below-app',
      'Bridges do not know the app.',
      { path: '^packages/bridge/' },
      { path: '^packages/app/' },
    ),
    forbid(
      'bridges-apart',
      'No bridge knows another.',
      { path: '^packages/bridge/([^/]+)/' },
      { path: '^packages/bridge/', pathNot: ['^packages/bridge/$1/'] },
    ),
    forbid(
      'sources-without-tests',
      'Sources know no tests.',
      { path: '^packages/[^/]+/[^/]+/src/' },
      { path: '/tests/|^testing/|^bench/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@agent-terminals/source', 'import', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
  },
}
