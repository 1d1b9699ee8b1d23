package exec

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.jobs.close()
	e.models.wait.Wait()
}
