package exec

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.jobs.Close()
	e.models.wait.Wait()
}
