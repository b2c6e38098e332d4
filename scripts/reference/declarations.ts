/** What sources say about properties: the comment above each, and the members of interfaces that exist as types only. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).flatMap((each) => (ts.isJSDoc(each) ? [each.comment ?? ''] : []))
  return (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ')
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

/** Comments of properties, by their path: `variable.property`, `variable.outer.inner`. */
export function readPropertyComments(path: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>()
  const visit = (node: ts.Node, at: string): void => {
    const isNamed = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
    const here = isNamed ? (at === '' ? node.name.getText() : `${at}.${node.name.getText()}`) : at
    if (ts.isPropertyAssignment(node)) comments.set(here, commentOf(node))
    node.forEachChild((child) => visit(child, here))
  }
  visit(parse(path), '')
  return comments
}

export interface Member {
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** Members of every interface of that name in a file, with `readonly` and line ends taken out. */
export function readInterface(path: string, name: string): readonly Member[] {
  const members: Member[] = []
  walk(parse(path), (node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) return
    for (const member of node.members.filter(ts.isPropertySignature)) {
      const type = member.type?.getText() ?? ''
      members.push({
        name: member.name.getText().replaceAll("'", ''),
        type: type
          .replaceAll(/\/\*\*.*?\*\//gs, '')
          .replaceAll('readonly ', '')
          .replaceAll(/\n\s*/g, '; ')
          .replaceAll(/\{;(?: ;)* |(?: ;)+(?= )/g, (found) => (found.startsWith('{') ? '{ ' : ''))
          .replaceAll('; }', ' }'),
        comment: commentOf(member),
      })
    }
  })
  return members
}
