package engine

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.Jobs.Close()
	e.Models.Wait.Wait()
}
