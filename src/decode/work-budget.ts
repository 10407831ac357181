/** Thrown inside a validation that costs too much; it goes no further than its budget. */
class BudgetSpent extends Error {}

/**
 * Counts the steps of one validation through a recursive schema. With two branches that hold the same
 * recursion, 64 levels of nesting are 2^64 ways to look, and a short text could stall the process.
 */
export class WorkBudget {
  private left = 0;

  /** Runs `work` with so many steps to spend; undefined where they do not suffice. */
  within<T>(steps: number, work: () => T): T | undefined {
    this.left = steps;
    try {
      return work();
    } catch (error) {
      if (error instanceof BudgetSpent) return undefined;
      throw error;
    }
  }

  /** Takes one step. */
  spend(): true {
    if (--this.left < 0) throw new BudgetSpent();
    return true;
  }
}
