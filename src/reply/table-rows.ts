/** The cells of a table's first row. */
export type TableHeads = readonly string[];

const mostCells = 64;

/** Whether a row only draws the line under a table's head. */
export function isRuleRow(row: string): boolean {
  for (const char of row) if (!'|-: \t'.includes(char)) return false;
  return true;
}

/** A row of a table as a sentence, each cell after its heading; null for the headings themselves. */
export function rowSentence(row: string, state: { table: TableHeads | null }): string | null {
  const cells = cellsOf(row);
  if (!state.table) {
    state.table = cells;
    return null;
  }
  const heads = state.table;
  return cells
    .map((cell, at) => (cell !== '' && heads[at] ? `${heads[at]}: ${cell}` : cell))
    .filter((cell) => cell !== '')
    .join(' | ');
}

function cellsOf(row: string): string[] {
  const cells = row.split('|', mostCells).map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}
