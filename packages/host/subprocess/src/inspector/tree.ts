/** Process trees over plain rows: pure, shared by every platform and by teardown. */

export interface TreeRow {
  readonly pid: number
  readonly parentPid: number
}

/** The given pids and everything below them, parents before children. Rows that are not listed end the descent. */
export function listTree<Row extends TreeRow>(rows: readonly Row[], roots: Iterable<number>): readonly Row[] {
  const byPid = new Map<number, Row>()
  const byParent = new Map<number, Row[]>()
  for (const row of rows) {
    byPid.set(row.pid, row)
    const siblings = byParent.get(row.parentPid)
    if (siblings === undefined) byParent.set(row.parentPid, [row])
    else siblings.push(row)
  }
  const found = new Map<number, Row>()
  const queue = [...roots].flatMap((pid) => byPid.get(pid) ?? [])
  for (let at = 0; at < queue.length; at++) {
    const row = queue[at]
    if (row === undefined || found.has(row.pid)) continue
    found.set(row.pid, row)
    queue.push(...(byParent.get(row.pid) ?? []))
  }
  return orderParentsFirst([...found.values()])
}

/** Rows so that no child comes before its parent; a cycle, which only a torn listing can show, is broken anywhere. */
export function orderParentsFirst<Row extends TreeRow>(rows: readonly Row[]): readonly Row[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  const depths = new Map<number, number>()
  const readDepth = (row: Row): number => {
    const path: Row[] = []
    const onPath = new Set<number>()
    let current: Row | undefined = row
    while (current !== undefined && !depths.has(current.pid) && !onPath.has(current.pid)) {
      path.push(current)
      onPath.add(current.pid)
      current = byPid.get(current.parentPid)
    }
    let depth = current === undefined ? 0 : (depths.get(current.pid) ?? -1) + 1
    for (const each of path.reverse()) depths.set(each.pid, depth++)
    return depths.get(row.pid) ?? 0
  }
  return [...rows].sort((a, b) => readDepth(a) - readDepth(b) || a.pid - b.pid)
}

/** The pid and its ancestors, nearest first, as far as they are listed. */
export function listAncestry(rows: readonly TreeRow[], pid: number): readonly number[] {
  const parents = new Map(rows.map((row) => [row.pid, row.parentPid]))
  const line: number[] = []
  let current: number | undefined = pid
  while (current !== undefined && current > 0 && !line.includes(current)) {
    line.push(current)
    current = parents.get(current)
  }
  return line
}
